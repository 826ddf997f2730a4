/*
 * Public entry point, under semantic versioning: the bodies of errors and the codes in them. Codes may be added in a
 * minor version.
 */
export { bodyError, type BodyError } from './body-error.js'
export {
  changedAnswer,
  codedViolationsAnswer,
  conflictAnswer,
  malformedAnswer,
  messageAnswer,
  type Referrer,
  refusalAnswer,
  refusedFieldsAnswer,
  violationsAnswer,
} from './gateway/answer.js'
export { problemCodes, type ProblemCode } from './administration/problem-codes.js'
export {
  type DetailLevel,
  detailLevels,
  resultCodes,
  type ResultCode,
  type ResultDetail,
  type ResultDetails,
  resultDetails,
} from './result-details.js'
export type { FieldViolation, ViolationRule, Violations } from './violation.js'
