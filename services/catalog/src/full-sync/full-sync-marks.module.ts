import { Module } from '@nestjs/common'
import { FullSyncMarks } from './full-sync-marks.js'
import { FullSyncStore } from './full-sync-store.js'

/** Its own module: batches mark what they sent, and completing a sync deactivates items. */
@Module({ providers: [FullSyncStore, FullSyncMarks], exports: [FullSyncStore, FullSyncMarks] })
export class FullSyncMarksModule {}
