import { z } from 'zod'
import { callSettings, issuedToken, settings, settingsPatch, settingsView } from './settings.js'
import { command } from '../message.js'
import { ifRevisions, revision } from '../revision.js'
import { caller } from './caller.js'

/**
 * How long a gateway uses settings after the start of the read that they come from, in ms: a restart of the
 * administration service takes less. A change that a gateway has not acknowledged is answered when this time has passed
 * (rules.md#settings-change).
 */
export const SETTINGS_EXPIRE_MS = 15_000
/** How long a settings change may take in ms: it waits for gateways that do not acknowledge it. */
export const SETTINGS_CHANGE_TIMEOUT_MS = SETTINGS_EXPIRE_MS + 5_000
/**
 * How long the entry of a gateway counts after its renewal, in ms. A gateway reads settings only while its entry is
 * recent, so every gateway with valid settings is registered.
 */
export const GATEWAY_LIFETIME_MS = SETTINGS_EXPIRE_MS + 5_000

/** The API that a token gives access to. */
const audience = z.enum(['erp', 'b2b'])
export type ApiAudience = z.infer<typeof audience>

/** The stored form of a token; the token itself is never stored (rules.md#tokens). */
const tokenHash = z.object({
  sha256: z.string(),
  last4: z.string(),
  issued_at: z.iso.datetime(),
  previous: z
    .object({ sha256: z.string(), last4: z.string(), valid_until: z.iso.datetime() })
    .optional()
    .describe('the token before it, which is accepted as well until `valid_until`'),
})
export type TokenHash = z.infer<typeof tokenHash>

/** One revision of the settings and the token hashes. Revision 0 was never written. */
const storedSettings = z.object({
  rev: z.int(),
  values: settings,
  tokens: z.object({ erp: tokenHash.nullable(), b2b: tokenHash.nullable() }),
})
export type StoredSettings = z.infer<typeof storedSettings>

/** The settings for a gateway, whose entry is renewed before they are read (rules.md#settings-change). */
export const readSettings = command('administration.settings.read', {
  request: z.object({
    gateway: z.string().describe('id of the process'),
    report: z
      .object({ quiet_at: z.iso.datetime().nullable(), busy: z.array(z.string()), resumed: z.int() })
      .describe('whether the gateway still writes, for a backup'),
  }),
  reply: storedSettings.extend({
    at: z.iso.datetime().describe("a time before they were read, by the database's clock"),
  }),
})

/** A gateway that serves no requests any more. */
export const removeGateway = command('administration.gateways.remove', {
  request: z.object({ gateway: z.string() }),
  reply: z.object({}),
})

/** The current settings, for work without a request: scheduled runs and cleanup by age. */
export const currentSettings = command('administration.settings.get', {
  request: z.object({}),
  reply: callSettings,
})

/** The same, as services of version 0.1 ask for it. */
export const currentSettingsOfGateway = command('gateway.settings.get', {
  request: z.object({}),
  reply: callSettings,
})

export const showSettings = command('administration.settings.show', {
  request: z.object({}),
  reply: settingsView.extend(revision),
})

const change = { caller, ...ifRevisions }

export const patchSettings = command('administration.settings.patch', {
  request: z.object({ patch: settingsPatch, ...change }),
  reply: settingsView.extend(revision),
})

export const issueApiToken = command('administration.api-tokens.issue', {
  request: z.object({ audience, overlap_minutes: z.int().nonnegative().optional(), ...change }),
  reply: issuedToken.extend(revision),
})

export const revokeApiToken = command('administration.api-tokens.revoke', {
  request: z.object({ audience, ...change }),
  reply: z.object({}),
})

/** The kinds of resources that settings refer to by id. */
const reference = { kind: z.enum(['storage', 'pick-up point']), id: z.int() }
export type SettingsReference = z.infer<z.ZodObject<typeof reference>>['kind']

/** Names of the settings that refer to a resource (admin.md#references). */
export const findSettingsReferences = command('administration.settings.find-references', {
  request: z.object(reference),
  reply: z.object({ settings: z.array(z.string()) }),
})

/**
 * Does nothing, unless settings or price lists use the resource (admin.md#references): CONFLICT names all of them.
 * UNAVAILABLE when nothing that is known uses it and the service of price lists cannot be reached.
 */
export const assertUnused = command('administration.references.assert-unused', {
  request: z.object(reference),
  reply: z.object({}),
})

/** Removes references to a deleted resource that were written while it was being deleted. */
export const clearSettingsReferences = command('administration.settings.clear-references', {
  request: z.object({ ...reference, caller }),
  reply: z.object({}),
})

/**
 * Adds a storage to the setting `storages_for_crosses`, or removes it (admin.md#storage-in-search). The other storages
 * of the setting stay, whoever changes it meanwhile. NOT_FOUND for an unknown storage; CONFLICT for one that asks
 * another system, which only an owner includes.
 */
export const setInSearch = command('administration.settings.set-in-search', {
  request: z.object({ id: z.int().describe('of the storage'), in_search: z.boolean(), caller }),
  reply: z.object({}),
})
