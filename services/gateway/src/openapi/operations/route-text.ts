import type { Violations } from '@partsbus/contracts/violation'
import type { Example } from './operation.js'

/** What the table of resource routes does not say of a route. */
export interface RouteText {
  tag: string
  summary: string
  description: string
  /** what a 200 or 201 holds, and an example of it */
  result: string
  answer?: unknown
  body?: Example
  /** what the body is, where it neither creates nor changes a resource */
  bodyText?: string
  violations?: Violations
  conflict?: string
}
