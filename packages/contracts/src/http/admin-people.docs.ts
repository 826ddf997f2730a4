import type { peopleRows } from './admin-people.js'
import type { DocsOf } from './docs.js'

const SAME_ORIGIN = 'The request must come from a page of the gateway: `Sec-Fetch-Site: same-origin`, or its `Origin`.'
const LAST_OWNER = 'The last active owner cannot be deleted, deactivated or given another role.'

const refused = {
  signIn: {
    description: 'The name is unknown, the password is wrong, or the administrator is not active.',
    messages: ['The name or the password is wrong.'],
  },
  place: {
    description: 'A page of another site sent the request, or the connection is not encrypted.',
    messages: ['Cross-site requests are not allowed.'],
  },
  site: {
    description: 'A page of another site sent the request.',
    messages: ['Cross-site requests are not allowed.'],
  },
  rate: {
    description: 'There were too many failures. The right password is refused, too, until then.',
    messages: ['Too many requests.'],
    headers: ['Retry-After'],
  },
  invitation: {
    description: 'It was used, replaced, or is older than 72 hours.',
    messages: ['The invitation is no longer valid.'],
  },
}

export const peopleDocs: DocsOf<typeof peopleRows> = {
  'GET /sign-in': {
    description: `Only \`ADMIN_TOKEN\` opens an installation in which nobody has a password yet. ${SAME_ORIGIN}`,
    result: 'How people sign in',
    statuses: { 403: refused.site },
  },
  'POST /session': {
    description:
      'With name and password, or with `ADMIN_TOKEN` as `token`. The session is a cookie that ends after 12 hours ' +
      `without a request, 7 days at most, and with the browser unless \`remember\` is true. ${SAME_ORIGIN}`,
    result: 'The session; its cookie is in `Set-Cookie`',
    body: 'Name and password, or the token.',
    violations: { password: ['The password field is required.'] },
    statuses: { 401: refused.signIn, 403: refused.place, 429: refused.rate },
  },
  'GET /session': {
    description: 'A bearer token has no session: `started_at` and `expires_at` are null.',
    result: 'The session',
  },
  'PATCH /session': {
    description: 'Name, language and password. A new password ends all other sessions.',
    result: 'The session after the change',
    requests: { 'Language and time zone': { locale: 'ru', time_zone: 'Asia/Yekaterinburg' } },
    violations: { 'password.current': ['The current password is wrong.'] },
    conflict: 'The session of the installation token has no account that could be changed.',
    statuses: { 429: refused.rate },
  },
  'DELETE /session': {
    description: 'The cookie is cleared.',
    result: 'Signed out',
  },
  'GET /sessions': {
    description: 'Open ones, newest first.',
    result: 'The sessions',
  },
  'DELETE /sessions': {
    description: 'All but the one of this request.',
    result: 'Ended',
  },
  'DELETE /sessions/:id': {
    description: 'No gateway accepts it when this is answered.',
    result: 'Ended',
  },
  'POST /invitation': {
    description: `Sets a password and signs in. An invitation is valid for 72 hours and for one use. ${SAME_ORIGIN}`,
    result: 'The session; its cookie is in `Set-Cookie`',
    body: 'The token of the invitation, and the password to set.',
    violations: { password: ['The password must be at least 12 characters.'] },
    statuses: { 403: refused.place, 404: refused.invitation, 429: refused.rate },
  },
  'GET /administrators': {
    description: 'Lists are ordered by `id`.',
    result: 'One page of administrators',
  },
  'POST /administrators': {
    description: 'The token of the invitation is shown this once; its holder can set the password.',
    result: 'The administrator and the invitation',
    violations: {
      name: ['The name has already been taken.'],
      role: ['The selected role is invalid. It must be viewer, manager or owner.'],
    },
  },
  'GET /administrators/:id': {
    description: 'With the number of open sessions.',
    result: 'The administrator',
  },
  'PATCH /administrators/:id': {
    description:
      'A new role applies to the next request of every session. One who is not active is signed out. The name stays.',
    result: 'The administrator after the change',
    requests: { 'Another role': { role: 'viewer' } },
    violations: { name: ['The name cannot be changed.'] },
    conflict: LAST_OWNER,
  },
  'DELETE /administrators/:id': {
    description: 'Ends all sessions. The audit log keeps the name.',
    conflict: LAST_OWNER,
  },
  'POST /administrators/:id/invitation': {
    description: 'Replaces an invitation before it. Also for a forgotten password: the old one is valid until then.',
    result: 'The invitation, which cannot be shown again',
    conflict: 'The administrator is not active.',
  },
  'DELETE /administrators/:id/sessions': {
    description: 'No gateway accepts any of them when this is answered.',
    result: 'Ended',
  },
}
