/**
 * The write concern of all data. A write that the majority does not have after 10 s fails and is answered 503: it would
 * hold a connection of the pool, and a few such writes exhaust it.
 */
export const DURABLE = { w: 'majority', journal: true, wtimeoutMS: 10_000 } as const
