/** The import cannot succeed, however often it is tried. Its message becomes the `error_message` of the task. */
export class ImportFailure extends Error {}

/** The import belongs to another worker or was cancelled; this worker must not change anything any more. */
export class LostImport extends Error {}

/** The process is stopping; the import is given back. */
export class StoppedImport extends Error {}
