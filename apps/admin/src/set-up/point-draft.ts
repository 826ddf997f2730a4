import type { Point } from './set-up-calls.js'

/** A point as a person edits it; a blank country, region or city is unknown. */
export type PointDraft = Record<PointText, string> & Pick<Point, 'is_active' | 'storage_ids'>

export const POINT_TEXTS = [
  'name',
  'country',
  'region',
  'city',
  'address',
  'phone',
  'email',
  'schedule',
  'description',
] as const
export type PointText = (typeof POINT_TEXTS)[number]

export const NEW_POINT: PointDraft = {
  name: '',
  country: '',
  region: '',
  city: '',
  address: '',
  phone: '',
  email: '',
  schedule: '',
  description: '',
  is_active: true,
  storage_ids: [],
}

export function toPointDraft({ id: _, country, region, city, ...rest }: Point): PointDraft {
  return { ...rest, country: country ?? '', region: region ?? '', city: city ?? '' }
}

export function readPoint(draft: PointDraft): Omit<Point, 'id'> {
  const orNull = (text: string): string | null => (text.trim() === '' ? null : text)
  return { ...draft, country: orNull(draft.country), region: orNull(draft.region), city: orNull(draft.city) }
}

/** The point in `get-pick-up-points`. */
export function partnerView(draft: PointDraft): Record<string, unknown> {
  const { name, schedule, is_active: _active, storage_ids: _storages, ...rest } = readPoint(draft)
  return { caption: name, ...rest, timetable: schedule }
}
