import { Admission } from './admission.js'

const MIB = 1024 * 1024

/** One admission for each API whose requests are forwarded to services. */
export interface ApiAdmissions {
  erp: Admission
  b2b: Admission
  admin: Admission
}

/** Memory for bodies adds up to 128 MiB; a body of the ERP has up to 8 MiB, the others up to 1 MiB. */
export function createApiAdmissions(): ApiAdmissions {
  return {
    erp: new Admission({ requests: 200, arriving: 1_000, bytes: 96 * MIB, targetMs: 10_000 }),
    // a search may take 10 s and has a deadline of 12 s
    b2b: new Admission({ requests: 200, arriving: 1_000, bytes: 16 * MIB, targetMs: 10_500 }),
    admin: new Admission({ requests: 200, arriving: 200, bytes: 16 * MIB }),
  }
}
