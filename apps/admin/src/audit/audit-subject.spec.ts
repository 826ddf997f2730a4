import { describe, expect, it } from '@jest/globals'
import { audit as english } from '../texts/en/audit.js'
import { audit as russian } from '../texts/ru/audit.js'
import { actorName, actorOf, subjectTarget, wordAction, wordEntry, wordSubject } from './audit-subject.js'

const references = { price_lists: [{ id: 7, name: 'Rossko' }], storages: [], pick_up_points: [] }
const subject = (entity: string | null, entity_id: number | string | null = null, details = {}) => ({
  entity,
  entity_id,
  details,
  actor: 'vera',
  actor_id: 4,
})

describe('wordAction', () => {
  it('words a known action', () => {
    expect(wordAction('price-list.rollback', english)).toBe('Price list rolled back')
  })

  it.each(['moon.land', 'constructor'])('shows the unknown action %s as it is', (action) => {
    expect(wordAction(action, english)).toBe(action)
  })

  it('has the same actions and subjects in both languages', () => {
    expect(Object.keys(russian.actions)).toEqual(Object.keys(english.actions))
    expect(Object.keys(russian.entities)).toEqual(Object.keys(english.entities))
  })
})

describe('wordEntry', () => {
  it.each([
    [4, 'Own account changed'],
    [5, 'Administrator changed'],
  ])('of the change of administrator %i by administrator 4', (id, words) => {
    expect(wordEntry({ ...subject('administrator', id), action: 'administrator.patch' }, english)).toBe(words)
  })

  it.each([
    [{ id: 4, locale: 'ru' }, 'Language of the pages chosen'],
    [{ id: 4, locale: 'ru', theme: 'dark' }, 'Own account changed'],
  ])('of the change of the own account by %j', (details, words) => {
    expect(wordEntry({ ...subject('administrator', 4, details), action: 'administrator.patch' }, english)).toBe(words)
  })

  it('of an administrator whom the token changed', () => {
    const entry = { ...subject('administrator', null), actor_id: null, action: 'administrator.patch' }
    expect(wordEntry(entry, english)).toBe('Administrator changed')
  })
})

describe('an actor', () => {
  const TOKEN = 'Token of the installation'

  it.each([
    ['admin', null, 'settings.patch', TOKEN],
    ['admin', 7, 'settings.patch', 'admin'],
    ['vera', 4, 'settings.patch', 'vera'],
    ['admin', null, 'session.refused', undefined],
  ])('%s (%s) at %s is %s', (actor, actor_id, action, name) => {
    expect(actorName({ actor, actor_id, action }, TOKEN)).toBe(name)
  })

  it('is found by the name that is shown', () => {
    expect([' token of the Installation ', 'vera'].map((typed) => actorOf(typed, TOKEN))).toEqual(['admin', 'vera'])
  })
})

describe('wordSubject', () => {
  it.each([
    [subject('price-list', 7), 'Price list Rossko'],
    [subject('price-list', 8, { name: 'Berg' }), 'Price list Berg'],
    [subject('price-list', 8, { before: { name: 'Berg' } }), 'Price list Berg'],
    [subject('brand-synonym', 1, { canonical: 'DENSO' }), 'Brand DENSO'],
    [subject('brand-synonym', 1, { before: { canonical: 'DENSO' } }), 'Brand DENSO'],
    [subject('administrator', 4, { theme: 'dark' }), 'Administrator vera'],
    [subject('administrator', 5, { role: 'owner', before: { name: 'oleg' } }), 'Administrator oleg'],
    [subject('import-task', 4711), 'Import 4711'],
    [subject('session', '5f1c-a'), 'Session'],
    [subject('settings'), 'Settings'],
    [subject('moon', 1), 'moon 1'],
    [subject(null), undefined],
  ])('%j', (entry, words) => {
    expect(wordSubject(entry, english, references)).toBe(words)
  })
})

describe('subjectTarget', () => {
  it.each([
    [subject('price-list', 7), { path: '/price-lists/$id', params: { id: 7 } }],
    [subject('pick-up-point', 3), { path: '/points/$id', params: { id: 3 } }],
    [subject('erp-token'), { path: '/settings/erp' }],
    [subject('brand-synonym', 5), { path: '/brands' }],
    [subject('storage'), undefined],
    [subject('session', '5f1c-a'), undefined],
    [subject('constructor', 1), undefined],
    [subject(null), undefined],
  ])('%j', (entry, target) => {
    expect(subjectTarget(entry)).toEqual(target)
  })
})
