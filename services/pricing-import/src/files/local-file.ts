/** A file of this machine. */
export interface LocalFile {
  path: string
  /** as the partner named it; only its extension counts */
  name: string
  /** bytes that an archive may unpack to */
  maxUnpacked: number
}
