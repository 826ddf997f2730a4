import { Module } from '@nestjs/common'
import { Readers } from './readers.js'

@Module({ providers: [Readers], exports: [Readers] })
export class ReadingModule {}
