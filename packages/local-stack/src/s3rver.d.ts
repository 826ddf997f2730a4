declare module 's3rver' {
  import type { AddressInfo } from 'node:net'

  /** An S3 server on a folder, for the one access key `S3RVER` with the secret `S3RVER`. */
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      resetOnClose?: boolean
      configureBuckets: Array<{ name: string }>
    })
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
