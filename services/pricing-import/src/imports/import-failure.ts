/** The import cannot succeed, however often it is tried. The message is the task's `error_message`: words a partner can act on. */
export class ImportFailure extends Error {}
