import { type AdminPath, adminPaths, adminRows } from '@partsbus/contracts/http/admin'
import type { AdminRow, Role } from '@partsbus/contracts/http/row'
import { changedAnswer } from '@partsbus/contracts/gateway/answer'
import { adminTexts } from './admin-texts.js'
import { codedViolations, refusals } from './error-responses.js'
import type { Answer, Operation, Parameter, Schema } from './operation.js'
import { routeParameters } from './route-parameters.js'
import type { RouteText } from './route-text.js'

const withBody: Readonly<Record<number, Answer>> = {
  400: refusals.malformed,
  413: refusals.tooLarge(1024 * 1024),
  415: refusals.mediaType,
}

const roleTexts: Readonly<Record<Role, string>> = {
  nobody: 'No credential is needed.',
  viewer: 'Role: any.',
  manager: 'Role: `manager` or `owner`.',
  owner: 'Role: `owner`.',
}

function describeOperation(path: AdminPath): Operation {
  const row: AdminRow = adminRows[path]
  const text = adminTexts[path]
  const [method, url = ''] = path.split(' ') as [Operation['method'], string]
  const parameters = [
    ...routeParameters(url, row, text.exampleId),
    ...(takesRevision(path, row) ? [ifMatch] : []),
    ...(text.parameters ?? []),
  ]
  return {
    method,
    path: `/api/admin${url.replaceAll(/:(\w+)/g, '{$1}').replace('/*', '/{erp_id}')}`,
    tag: text.tag,
    summary: row.summary,
    description: `${text.description}\n\n${roleTexts[row.role]}`,
    security: row.role === 'nobody' ? 'none' : 'admin',
    ...(parameters.length > 0 && { parameters }),
    ...(text.form && { form: text.form }),
    ...(row.body &&
      text.body && {
        body: {
          description: text.bodyText ?? (row.status === 201 ? 'The new resource.' : 'The fields to change.'),
          content: row.body,
          examples: { example: text.body },
          ...(row.isBodyOptional && { optional: true }),
        },
      }),
    answers: describeAnswers(path, row, text),
  }
}

function describeAnswers(path: AdminPath, row: AdminRow, text: RouteText): Record<number, Answer> {
  const isRaw = row.file !== undefined || row.media !== undefined
  const answers: Record<number, Answer> = { [row.status ?? 200]: success(row, text), 503: refusals.unavailable }
  if (row.role !== 'nobody') answers[401] = refusals.adminToken
  if (row.role === 'manager' || row.role === 'owner') answers[403] = refusals.role
  if (row.body) Object.assign(answers, withBody)
  if (row.command || isRaw) answers[504] = refusals.timeout
  if (/[:*]/.test(path)) answers[404] = refusals.notFound
  if (row.query && 'page' in row.query.shape) answers[422] = pagingViolation()
  if (text.violations) {
    const isChange = row.command ? row.audit !== undefined : !path.startsWith('GET ')
    answers[422] = codedViolations(isChange ? 'Nothing was written.' : 'The request is not valid.', text.violations)
  }
  answers[422] ??= unknownParameter(row)
  if (takesRevision(path, row)) answers[412] = changed(text.answer ?? {})
  if (text.conflict) answers[409] = refusals.conflict(text.conflict)
  return { ...answers, ...text.answers }
}

const ifMatch: Parameter = {
  in: 'header',
  name: 'If-Match',
  description: 'the `ETag` of the resource as it was read: a change since then is answered 412; `*` or absent: any',
  schema: { type: 'string' },
}

function takesRevision(path: AdminPath, { isRevised, status }: AdminRow): boolean {
  return isRevised === true && status !== 201 && !path.startsWith('GET ')
}

function changed(current: unknown): Answer {
  const message = 'It was changed meanwhile.'
  return {
    description: '`If-Match` names another revision; nothing was changed. `current` is the resource as it is now.',
    schema: changedAnswer,
    headers: ['ETag'],
    examples: { changed: { summary: message, value: { message, current } } },
  }
}

function success({ answer, media, isRevised }: AdminRow, { result, answer: example }: RouteText): Answer {
  if (media) return { description: `${result ?? 'The file'}.`, binary: [media] }
  if (!answer) return { description: `${result ?? 'Removed'}.` }
  return { ...settled(answer, result ?? 'The result', example), ...(isRevised && { headers: ['ETag'] }) }
}

function settled(schema: Schema, description: string, value: unknown): Answer {
  return { description: `${description}.`, schema, examples: { example: { summary: description, value } } }
}

function pagingViolation(): Answer {
  return codedViolations('A parameter is malformed or out of range.', {
    page: ['The page must be an integer.'],
    per_page: ['The per_page must not be greater than 500.'],
  })
}

/** Of a call that has no other violations. */
function unknownParameter({ query }: AdminRow): Answer {
  const known = Object.keys(query?.shape ?? {})
  const taken = known.length === 0 ? 'This call takes none.' : `This call takes ${known.join(', ')}.`
  const errors = { sort: [`The sort parameter is unknown. ${taken}`] }
  return codedViolations('The call has no such query parameter.', errors, 'unknown')
}

/** The administration API (docs/spec/admin.md). */
export const adminOperations: readonly Operation[] = adminPaths.map(describeOperation)
