/** The part of the driver that `insert-raw.ts` uses; it ships without types. */
declare module 'mongodb/lib/cmap/commands.js' {
  export class DocumentSequence {
    constructor(field: string)
    push(document: object, bson: Uint8Array): number
  }
}
