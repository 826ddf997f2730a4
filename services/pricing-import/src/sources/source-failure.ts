/** A source could not be fetched. The message is shown to the administrator as the outcome of the run; it holds no secret. */
export class SourceFailure extends Error {}
