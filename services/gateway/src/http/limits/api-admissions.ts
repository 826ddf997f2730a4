import { Admission } from './admission.js'

const MIB = 1024 * 1024

/** One admission for each API whose requests are forwarded to services. */
export interface ApiAdmissions {
  erp: Admission
  b2b: Admission
  admin: Admission
  /** of the admin API: calls without a credential, which wait for the hashing of passwords */
  signIn: Admission
}

/**
 * Memory for bodies adds up to 128 MiB; a body of the ERP has up to 8 MiB, the others up to 1 MiB. Times are far above
 * those of services without a queue: a batch of 20 products takes 10 to 50 ms, one of 8 MiB a few seconds.
 * Administrators get fewer slots than the ERP when the services are slow.
 */
export function createApiAdmissions(): ApiAdmissions {
  return {
    erp: new Admission({
      requests: 200,
      initial: 32,
      arriving: 1_000,
      bytes: 96 * MIB,
      target: { ms: 300, msPerMib: 4_000 },
      maxWaitMs: 2_000,
    }),
    // a search may wait for suppliers for 10 s, and has a deadline of 12 s
    b2b: new Admission({
      requests: 200,
      arriving: 1_000,
      bytes: 16 * MIB,
      target: { ms: 10_500, msPerMib: 0 },
    }),
    admin: new Admission({
      requests: 100,
      min: 4,
      initial: 16,
      arriving: 200,
      bytes: 16 * MIB,
      target: { ms: 100, msPerMib: 1_000 },
      maxWaitMs: 2_000,
    }),
    // a flood of them must not use up the slots of those who are signed in
    signIn: new Admission({ requests: 40, arriving: 100, bytes: 16 * MIB }),
  }
}
