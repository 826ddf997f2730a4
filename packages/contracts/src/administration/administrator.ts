import { z } from 'zod'
import { plainText, requiredText } from '../field.js'
import type { RuleParams } from '../violation.js'

/** Each role may do what the ones before it may. */
export const administratorRoles = ['viewer', 'manager', 'owner'] as const
export type AdministratorRole = (typeof administratorRoles)[number]
const role = z.enum(administratorRoles)

/** A text of `min` to `max` characters. */
function textBetween(name: string, min: number, max: number) {
  return plainText(max)
    .check((ctx) => {
      const isShort = [...ctx.value].length < min
      const params: RuleParams = {
        rule: 'min',
        limit: min,
        text: `The ${name} must be at least ${min} characters.`,
      }
      if (isShort) ctx.issues.push({ code: 'custom', input: ctx.value, params: { ...params } })
    })
    .meta({ minLength: min, maxLength: max })
}

const name = textBetween('name', 3, 64)
const displayName = requiredText(100)
/** Blanks count: a password has no rule but its length. */
const newPassword = textBetween('password', 12, 200).meta({ example: 'correct horse battery', writeOnly: true })

const isTimeZone = (text: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}
const timeZone = plainText(64)
  .check((ctx) => {
    const params: RuleParams = { rule: 'format' }
    if (!isTimeZone(ctx.value)) ctx.issues.push({ code: 'custom', input: ctx.value, params: { ...params } })
  })
  .meta({ example: 'Asia/Yekaterinburg' })

const locale = z.enum(['en', 'ru'])
const theme = z.enum(['auto', 'light', 'dark'])

/** `POST /session`: by name and password, or by ADMIN_TOKEN. */
export const signIn = z
  .strictObject({
    name: plainText(191).optional().meta({ example: 'anna' }),
    password: plainText(1_000).optional().meta({ example: 'correct horse battery', writeOnly: true }),
    token: plainText(1_000)
      .optional()
      .describe('`ADMIN_TOKEN`, instead of name and password')
      .meta({ writeOnly: true }),
    remember: z.boolean().optional().describe('keeps the session when the browser is closed'),
  })
  .check((ctx) => {
    if (ctx.value.token !== undefined) return
    const params: RuleParams = { rule: 'required' }
    for (const field of ['name', 'password'] as const) {
      if (ctx.value[field] === undefined)
        ctx.issues.push({ code: 'custom', input: ctx.value, path: [field], params: { ...params } })
    }
  })
  .meta({ id: 'SignIn' })
export type SignIn = z.infer<typeof signIn>

/** `POST /invitation`. */
export const acceptedInvitation = z
  .strictObject({ token: plainText(191).meta({ writeOnly: true }), password: newPassword })
  .meta({ id: 'AcceptedInvitation' })
export type AcceptedInvitation = z.infer<typeof acceptedInvitation>

/** `PATCH /session`. */
export const ownAccountPatch = z
  .strictObject({
    display_name: displayName.optional(),
    locale: locale.optional(),
    time_zone: timeZone.nullable().optional().describe("an IANA name; null: the browser's zone"),
    theme: theme.optional(),
    password: z
      .strictObject({ current: plainText(1_000).meta({ writeOnly: true }), next: newPassword })
      .meta({ id: 'PasswordChange' })
      .optional()
      .describe('ends all other sessions'),
  })
  .meta({ id: 'OwnAccountPatch' })
export type OwnAccountPatch = z.infer<typeof ownAccountPatch>

/** The session of a request. */
export const session = z
  .object({
    administrator: z
      .object({
        id: z.int().nullable().describe('null: the holder of `ADMIN_TOKEN`'),
        name: z.string().meta({ example: 'anna' }),
        display_name: z.string().meta({ example: 'Анна Смирнова' }),
        role,
        locale,
        time_zone: z.string().nullable().meta({ example: 'Asia/Yekaterinburg' }),
        theme,
      })
      .meta({ id: 'OwnAccount' }),
    started_at: z.iso.datetime().nullable().describe('null: a bearer token, which has no session'),
    expires_at: z.iso.datetime().nullable(),
    address: z.string().nullable().meta({ example: '203.0.113.9' }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof session>

/** One of the own sessions. */
export const ownSession = z
  .object({
    id: z.string(),
    started_at: z.iso.datetime(),
    seen_at: z.iso.datetime().describe('renewed once a minute at most'),
    address: z.string().nullable().meta({ example: '203.0.113.9' }),
    agent: z
      .string()
      .nullable()
      .describe('`User-Agent` of the sign-in')
      .meta({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' }),
    is_current: z.boolean(),
  })
  .meta({ id: 'OwnSession' })
export type OwnSession = z.infer<typeof ownSession>
export const sessionId = z.object({ id: plainText(64).describe('the `id` of one of the own sessions') })

/** `POST /administrators`. */
export const newAdministrator = z
  .strictObject({
    name: name.describe('unique without regard to case; cannot be changed later'),
    display_name: displayName.optional().describe('the name unless given'),
    role,
    is_active: z.boolean().optional().describe('true unless given'),
  })
  .meta({ id: 'NewAdministrator' })
export type NewAdministrator = z.infer<typeof newAdministrator>

/** `PATCH /administrators/:id`. The name may be sent back as it was read. */
export const administratorPatch = newAdministrator.partial().meta({ id: 'AdministratorPatch' })
export type AdministratorPatch = z.infer<typeof administratorPatch>

export const administrator = z
  .object({
    id: z.int(),
    name: z.string().meta({ example: 'anna' }),
    display_name: z.string().meta({ example: 'Анна Смирнова' }),
    role,
    is_active: z.boolean(),
    has_password: z.boolean().describe('false until the invitation is accepted'),
    last_seen_at: z.iso.datetime().nullable(),
    sessions: z.int().describe('open ones'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Administrator' })
export type Administrator = z.infer<typeof administrator>

/** Shown only once; its holder can set the password. */
export const invitation = z.object({ token: z.string(), expires_at: z.iso.datetime() }).meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof invitation>

export const invitedAdministrator = administrator.extend({ invitation }).meta({ id: 'InvitedAdministrator' })
export type InvitedAdministrator = z.infer<typeof invitedAdministrator>
