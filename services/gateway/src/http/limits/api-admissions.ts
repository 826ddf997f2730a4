import { Admission } from '@partsbus/http-guard/admission'
import { ArrivingBodies } from '@partsbus/http-guard/arriving-bodies'

const MIB = 1024 * 1024

/*
 * The bounds of rules.md#overload. Times are far above those of services without a queue: a batch of 20 products takes
 * 10 to 50 ms, one of 8 MiB a few seconds. Administrators get fewer slots than the ERP when the services are slow.
 */

export const ERP = {
  requests: 200,
  initial: 32,
  arriving: 1_000,
  bytes: 96 * MIB,
  target: { ms: 300, msPerMib: 4_000 },
  maxWaitMs: 2_000,
}
/** A search may wait for suppliers for 10 s, and has a deadline of 12 s. `ofOne`: one address. */
export const PARTNERS = {
  requests: 250,
  ofOne: 200,
  arriving: 1_000,
  bytes: 16 * MIB,
  target: { ms: 10_500, msPerMib: 0 },
}
export const PARTNERS_OWN = { requests: 250, ofOne: 200, arriving: 500, bytes: 4 * MIB }
/** `ofOne` here and below: one session. */
export const ADMIN = {
  requests: 100,
  ofOne: 50,
  min: 4,
  initial: 16,
  arriving: 200,
  bytes: 16 * MIB,
  target: { ms: 100, msPerMib: 1_000 },
  maxWaitMs: 2_000,
}
export const ADMIN_OWN = { requests: 40, ofOne: 20, arriving: 100, bytes: 4 * MIB, maxWaitMs: 2_000 }
export const ADMIN_WAITING = { requests: 100, ofOne: 32, arriving: 100, bytes: 8 * MIB }
/** `ofOne`: one address. */
export const SIGN_INS = { requests: 40, ofOne: 20, bytes: 0 }
export const SIGN_IN_BODIES = { atOnce: 1_000, ofOne: 20, bodyBytes: 4 * 1024, withinMs: 5_000 }

/** One admission for each API whose requests are forwarded to services. */
export interface ApiAdmissions {
  erp: Admission
  /** searches, which wait for suppliers */
  b2b: Admission
  /** the other calls of partners; uploads have a queue */
  b2bOwn: Admission
  admin: Admission
  /** of the admin API: calls that the gateway answers from its own database, whatever the services do */
  adminOwn: Admission
  /** of the admin API: calls that wait for others than our services, like suppliers and sources */
  adminWaiting: Admission
  /** of the admin API: calls without a credential, which wait for the hashing of passwords */
  signIn: Admission
  /** their bodies */
  signInBodies: ArrivingBodies
}

export function createApiAdmissions(): ApiAdmissions {
  return {
    erp: new Admission(ERP),
    b2b: new Admission(PARTNERS),
    b2bOwn: new Admission(PARTNERS_OWN),
    admin: new Admission(ADMIN),
    adminOwn: new Admission(ADMIN_OWN),
    adminWaiting: new Admission(ADMIN_WAITING),
    signIn: new Admission(SIGN_INS),
    signInBodies: new ArrivingBodies(SIGN_IN_BODIES),
  }
}
