import type { supplierDialects } from '@partsbus/contracts/stock/storage'
import { abcp } from './abcp.js'
import { autoeuro } from './autoeuro.js'
import type { Dialect } from './dialect.js'
import { standard } from './standard.js'

/** A dialect of the contract that is missing here does not compile (docs/develop/adding-a-supplier.md). */
export const dialects: Record<(typeof supplierDialects)[number], Dialect> = { standard, abcp, autoeuro }
