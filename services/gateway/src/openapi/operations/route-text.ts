import type { Violations } from '@partsbus/contracts/violation'
import type { Answer, Example, Form, Parameter } from './operation.js'

/** The texts of a call, in addition to its row. */
export interface RouteText {
  tag: string
  description: string
  /** what the answer is, and an example of it; `Removed.` unless given where there is none */
  result?: string
  answer?: unknown
  body?: Example
  /** what the body is, where it neither creates nor changes a resource */
  bodyText?: string
  form?: Form
  /** besides those of the path and the query */
  parameters?: readonly Parameter[]
  /** the `id` in the example of the path */
  exampleId?: number
  violations?: Violations
  conflict?: string
  /** answers that are not derived, or that replace those that are */
  answers?: Readonly<Record<number, Answer>>
}
