import type { AdminPath } from '@partsbus/contracts/http/admin'
import { pageWith } from '../examples/admin-examples.js'
import * as examples from '../examples/people-examples.js'
import { refusals } from './error-responses.js'
import type { RouteText } from './route-text.js'

const tag = 'Administrators'
const SAME_ORIGIN = 'The request must come from a page of the gateway: `Sec-Fetch-Site: same-origin`, or its `Origin`.'
const LAST_OWNER = 'The last active owner cannot be deleted, deactivated or given another role.'

export const peopleTexts = {
  'POST /session': {
    tag,
    description:
      'With name and password, or with `ADMIN_TOKEN` as `token`. The session is a cookie that ends after 12 hours ' +
      `without a request, 7 days at most, and with the browser unless \`remember\` is true. ${SAME_ORIGIN}`,
    result: 'The session; its cookie is in `Set-Cookie`',
    answer: examples.session,
    body: { summary: 'Name and password', value: examples.signIn },
    bodyText: 'Name and password, or the token.',
    violations: { password: ['The password field is required.'] },
    answers: { 401: refusals.signIn, 403: refusals.signInPlace, 429: refusals.signInRate },
  },
  'GET /session': {
    tag,
    description: 'A bearer token has no session: `started_at` and `expires_at` are null.',
    result: 'The session',
    answer: examples.session,
  },
  'PATCH /session': {
    tag,
    description: 'Name, language and password. A new password ends all other sessions.',
    result: 'The session after the change',
    answer: examples.session,
    body: { summary: 'Language and time zone', value: examples.ownAccountPatch },
    violations: { 'password.current': ['The current password is wrong.'] },
    answers: {
      409: refusals.conflict('The session of the installation token has no account that could be changed.'),
      429: refusals.signInRate,
    },
  },
  'DELETE /session': { tag, description: 'The cookie is cleared.', result: 'Signed out' },
  'GET /sessions': {
    tag,
    description: 'Open ones, newest first.',
    result: 'The sessions',
    answer: [examples.ownSession],
  },
  'DELETE /sessions': {
    tag,
    description: 'All but the one of this request.',
    result: 'Ended',
  },
  'DELETE /sessions/:id': {
    tag,
    description: 'No gateway accepts it when this is answered.',
    result: 'Ended',
  },
  'POST /invitation': {
    tag,
    description: `Sets a password and signs in. An invitation is valid for 72 hours and for one use. ${SAME_ORIGIN}`,
    result: 'The session; its cookie is in `Set-Cookie`',
    answer: examples.session,
    body: { summary: 'The token and a password', value: examples.acceptedInvitation },
    bodyText: 'The token of the invitation, and the password to set.',
    violations: { password: ['The password must be at least 12 characters.'] },
    answers: { 403: refusals.signInPlace, 404: refusals.invitation, 429: refusals.signInRate },
  },

  'GET /administrators': {
    tag,
    description: 'Lists are ordered by `id`.',
    result: 'One page of administrators',
    answer: pageWith(examples.administrator),
  },
  'POST /administrators': {
    tag,
    description: 'The token of the invitation is shown this once; its holder can set the password.',
    result: 'The administrator and the invitation',
    answer: examples.invitedAdministrator,
    body: { summary: 'A manager', value: examples.newAdministrator },
    violations: {
      name: ['The name has already been taken.'],
      role: ['The selected role is invalid. It must be viewer, manager or owner.'],
    },
  },
  'GET /administrators/:id': {
    tag,
    description: 'With the number of open sessions.',
    result: 'The administrator',
    answer: examples.administrator,
  },
  'PATCH /administrators/:id': {
    tag,
    description:
      'A new role applies to the next request of every session. One who is not active is signed out. The name stays.',
    result: 'The administrator after the change',
    answer: { ...examples.administrator, ...examples.administratorPatch },
    body: { summary: 'Another role', value: examples.administratorPatch },
    violations: { name: ['The name cannot be changed.'] },
    conflict: LAST_OWNER,
  },
  'DELETE /administrators/:id': {
    tag,
    description: 'Ends all sessions. The audit log keeps the name.',
    conflict: LAST_OWNER,
  },
  'POST /administrators/:id/invitation': {
    tag,
    description: 'Replaces an invitation before it. Also for a forgotten password: the old one is valid until then.',
    result: 'The invitation, which cannot be shown again',
    answer: examples.invitation,
    conflict: 'The administrator is not active.',
  },
  'DELETE /administrators/:id/sessions': {
    tag,
    description: 'No gateway accepts any of them when this is answered.',
    result: 'Ended',
  },
} satisfies Partial<Record<AdminPath, RouteText>>
