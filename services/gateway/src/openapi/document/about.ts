import { buildInfo } from '@partsbus/platform/process/build-info'

/** What a reader needs before the first endpoint. */
export const about = {
  title: 'Partsbus',
  version: buildInfo.version,
  description: `Partsbus keeps a parts shop's catalog in step with its ERP. The ERP pushes categories, products and stock levels to \`/api/erp\`; partners search offers and upload price lists at \`/api/b2b\`; an administrator configures and reads everything at \`/api/admin\`; pictures are public under \`/media\`.

Bodies are JSON in UTF-8. Types are not coerced: \`"5"\` is no integer and \`5\` is no string. Lengths count Unicode code points. Integers are safe integers. Texts with NUL characters or lone surrogates are invalid, and a required text that is blank counts as missing. Fields that are not listed are ignored, except where the schema says that there are no others.

Where nothing more exact is said, 400 is a request that cannot be read, 404 an unknown path and 405 a method that a path does not know (\`Allow\` names those it does); both come after the checks of the token. 500 is a fault of ours: \`{"message": "Internal server error."}\`.

Every answer carries \`x-request-id\`; send your own and it is kept. Quote it when you ask for help: it is in every log line of that request.

Any request of the ERP may be repeated, and so may every reading, change and removal of the admin API: what is already as sent is left as it is. After 429 and 503 wait for the seconds in \`Retry-After\`; after 504, or when the connection broke, the work may have been done, so look before you repeat a \`POST\` that creates something.`,
} as const

/** Groups of endpoints, in the order they are read. */
export const tags = [
  {
    name: 'ERP',
    description:
      'Catalog synchronisation: what the ERP pushes. Every endpoint checks, in this order: the integration is on (503), the header and the token (401), the address (403), for stock that its target is set (500), the rate limit (429), and only then reads the body.',
  },
  {
    name: 'B2B',
    description:
      'What partners ask and upload. Every endpoint checks, in this order: the API is on (503), a token is configured (500), the header and the token (401), the rate limit (429), and only then reads the body. Every refusal is `{"result": false, "message": "…"}`.',
  },
  {
    name: 'Settings',
    description:
      'Settings, tokens and the audit log. Changes hold at once: a call that starts after the answer sees them.',
  },
  { name: 'Pick-up points and storages', description: 'Reference data that stock is written to and offers come from.' },
  {
    name: 'Price lists and imports',
    description:
      'Lists that suppliers and partners send as files: how they are read, their versions, scheduled sources, and every import with the rows it left out.',
  },
  {
    name: 'Catalog and stock',
    description: 'What the ERP wrote, to be read; and of supplies what the ERP does not write.',
  },
  { name: 'Media', description: 'Stored pictures. Public, no token.' },
] as const

/** How each door is opened. */
export const securitySchemes = {
  erp: {
    type: 'http',
    scheme: 'bearer',
    description: 'The ERP token, made by `POST /api/admin/settings/erp-token` and shown that once.',
  },
  b2b: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The B2B token of the partner API, made by `POST /api/admin/settings/b2b-token` or when B2B is switched on.',
  },
  admin: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of the administrator, given to the gateway as `ADMIN_TOKEN` or `ADMIN_TOKEN_FILE`. Neither the ERP token nor the B2B token opens the admin API.',
  },
} as const
