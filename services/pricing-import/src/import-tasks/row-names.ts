import { Injectable } from '@nestjs/common'
import type { ExportLanguage } from '@partsbus/contracts/pricing-import/commands'
import { rowName } from './row-location.js'
import { TaskStore } from './task-store.js'

/** How the files for people name the rows of a version's file. */
@Injectable()
export class RowNames {
  constructor(private readonly tasks: TaskStore) {}

  /** @param language undefined: the file is for a program, for which rows are counted on from sheet to sheet */
  async of(version: number | null, language: ExportLanguage | undefined): Promise<(row: number) => number | string> {
    const task = version === null || language === undefined ? null : await this.tasks.find(version)
    // the import may be deleted before its version
    const sheets = task?.sheets ?? []
    return (row) => rowName(row, sheets)
  }
}
