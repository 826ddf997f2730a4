/** A source could not be fetched. The message is shown to the administrator, so it must not contain secrets. */
export class SourceFailure extends Error {}
