import { Module } from '@nestjs/common'
import { EventOutbox } from './event-outbox.js'

@Module({ providers: [EventOutbox], exports: [EventOutbox] })
export class EventsModule {}
