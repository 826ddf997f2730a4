import { pageOf } from '@partsbus/contracts/paging'
import { auditEntry, issuedToken, settingsPatch, settingsView } from '@partsbus/contracts/gateway/settings'
import { type ResourceRoute, resourceRoutes } from '../../admin/resources/resource-routes.js'
import * as examples from '../examples/admin-examples.js'
import { adminTexts } from './admin-texts.js'
import type { RouteText } from './route-text.js'
import { refusals, violations } from './error-responses.js'
import { importOperations } from './import-operations.js'
import type { Answer, Operation, Parameter, Schema } from './operation.js'
import { pageParameters, routeParameters } from './route-parameters.js'

const always: Readonly<Record<number, Answer>> = { 401: refusals.adminToken, 503: refusals.unavailable }
const throughService: Readonly<Record<number, Answer>> = { ...always, 504: refusals.timeout }
const withBody: Readonly<Record<number, Answer>> = {
  400: refusals.malformed,
  413: refusals.tooLarge(1024 * 1024),
  415: refusals.mediaType,
}

const settled = (schema: Schema, description: string, value: unknown): Answer => ({
  description: `${description}.`,
  schema,
  examples: { example: { summary: description, value } },
})
const empty = (description: string): Answer => ({ description })

interface Rest {
  parameters?: readonly Parameter[]
  body?: Operation['body']
}

const operation = (
  method: Operation['method'],
  path: string,
  tag: string,
  summary: string,
  description: string,
  answers: Operation['answers'],
  rest: Rest = {},
): Operation => ({
  method,
  path: `/api/admin${path}`,
  tag,
  summary,
  description,
  security: 'admin',
  ...rest,
  answers: { ...always, ...answers },
})

const tokenOperations = (audience: 'erp' | 'b2b'): Operation[] => {
  const name = audience.toUpperCase()
  return [
    operation(
      'POST',
      `/settings/${audience}-token`,
      'Settings',
      `Issue the ${name} token`,
      `Generates a random 256-bit token and shows it this once; only its hash and last four characters are stored. Every gateway rejects the previous token at once. A body is ignored.`,
      { 200: settled(issuedToken, 'The token, which cannot be shown again', examples.issuedToken) },
    ),
    operation(
      'DELETE',
      `/settings/${audience}-token`,
      'Settings',
      `Revoke the ${name} token`,
      `No ${name} token is accepted until one is issued.`,
      { 204: empty('Revoked, or there was none.') },
    ),
  ]
}

const settingsOperations: readonly Operation[] = [
  operation(
    'GET',
    '/settings',
    'Settings',
    'Read the settings',
    'All settings. Of tokens the last four characters are shown.',
    { 200: settled(settingsView, 'The settings', examples.settingsView) },
  ),
  operation(
    'PATCH',
    '/settings',
    'Settings',
    'Change settings',
    'Any subset of the settings; all of it is written, or nothing. Unknown names are violations. Storages and ' +
      'pick-up points must exist. When B2B is enabled without a token afterwards, one is generated and shown this ' +
      'once as `b2b_token.token`.',
    {
      ...withBody,
      200: settled(settingsView, 'The settings after the change', {
        ...examples.settingsView,
        b2b_enabled: true,
        b2b_token: examples.issuedToken,
      }),
      422: violations('Nothing was written.', {
        erp_storage_id: ['The selected erp_storage_id is invalid.'],
        'erp_allowed_ips.2': ['The erp_allowed_ips.2 must be an IP address or a CIDR range.'],
        erp_enable: ['The erp_enable field is unknown.'],
      }),
      504: refusals.timeout,
    },
    {
      body: {
        description: 'The settings to change.',
        content: settingsPatch,
        examples: { erp: { summary: 'Open the ERP API to one network', value: examples.settingsPatch } },
      },
    },
  ),
  ...tokenOperations('erp'),
  ...tokenOperations('b2b'),
  operation(
    'GET',
    '/audit',
    'Settings',
    'Read the audit log',
    'Every change, newest first: who, when and what, without secrets. An entry is written before its change; ' +
      '`"outcome": "unknown"` in its details marks a change without a response in time. Entries older than ' +
      '`audit_retention_days` are deleted.',
    {
      200: settled(pageOf(auditEntry), 'One page of entries', examples.pageWith(...examples.auditEntries)),
      422: pagingViolation(),
    },
    { parameters: pageParameters },
  ),
]

/** An operation for every row of the table of resource routes. */
function resourceOperation(route: ResourceRoute): Operation {
  const key = `${route.method} ${route.path}`
  const text = adminTexts[key]
  if (!text) throw new Error(`${key} has no text`)
  const parameters = routeParameters(route)
  return {
    method: route.method,
    path: `/api/admin${route.path.replaceAll(/:(\w+)/g, '{$1}').replace('/*', '/{erp_id}')}`,
    tag: text.tag,
    summary: text.summary,
    description: text.description,
    security: 'admin',
    ...(parameters.length > 0 && { parameters }),
    ...(route.body &&
      text.body && {
        body: {
          description: text.bodyText ?? (route.shape === 'create' ? 'The new resource.' : 'The fields to change.'),
          content: route.body,
          examples: { example: text.body },
          ...(route.isBodyOptional && { optional: true }),
        },
      }),
    answers: { ...throughService, ...(route.body && withBody), ...resourceAnswers(route, text) },
  }
}

function resourceAnswers(route: ResourceRoute, text: RouteText): Record<number, Answer> {
  const answers: Record<number, Answer> = {
    [route.status]:
      route.status === 204
        ? empty('Removed.')
        : settled(route.answer?.schema ?? route.command.reply, text.result, text.answer),
  }
  if (route.shape !== 'list' && route.shape !== 'create') answers[404] = refusals.notFound
  if (route.shape === 'list' || route.shape === 'list-of') answers[422] = pagingViolation()
  if (text.violations)
    answers[422] = violations(route.action ? 'Nothing was written.' : 'The request is not valid.', text.violations)
  if (text.conflict) answers[409] = refusals.conflict(text.conflict)
  return answers
}

function pagingViolation(): Answer {
  return violations('A parameter is malformed or out of range.', {
    page: ['The page must be an integer.'],
    per_page: ['The per_page must not be greater than 500.'],
  })
}

/** The administration API (docs/spec/admin.md). */
export const adminOperations: readonly Operation[] = [
  ...settingsOperations,
  ...resourceRoutes.map(resourceOperation),
  ...importOperations,
]
