/** The import cannot succeed, however often it is tried. The task gets its code and its message. */
export class ImportFailure extends Error {
  constructor(
    readonly code: 'NO_ROWS' | 'NO_IMPORTABLE_ROWS' | 'TOO_FEW_ROWS' | 'TOO_MANY_ROWS' | 'WITHDRAWN' | 'NO_PROGRESS',
    message: string,
  ) {
    super(message)
  }
}

/** The import belongs to another worker or was cancelled; this worker must not change anything any more. */
export class LostImport extends Error {}

/** The process is stopping; another worker continues the import. */
export class StoppedImport extends Error {}
