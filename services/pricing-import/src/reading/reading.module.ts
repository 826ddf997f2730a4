import { Module } from '@nestjs/common'
import { ReaderLimits } from './reader-limits.js'

@Module({ providers: [ReaderLimits], exports: [ReaderLimits] })
export class ReadingModule {}
