/** A `Log`. */
export const LOG = Symbol('log')
/** The `Metrics` of the process. */
export const METRICS = Symbol('metrics')
/** The `BusConnection`; requests go through the class `BusClient`. */
export const BUS = Symbol('bus')
/** The validated configuration of the service. */
export const CONFIG = Symbol('config')
