import { beforeAll, describe, expect, it } from '@jest/globals'
import { expectStatus } from '../testing/shop.js'
import { usePartner } from '../testing/contract-product.js'

interface Point {
  id: number
  caption: string
  [field: string]: unknown
}

const open = usePartner()

describe('POST /get-pick-up-points', () => {
  const full = {
    name: 'Склад «Юг»',
    country: 'KZ',
    region: 'R',
    city: 'Алматы',
    address: 'A 1',
    phone: '+7 (0)',
    email: 'a@b.c',
    description: 'D\n"x"',
    schedule: '9–18',
  }
  const create = async (fields: object) =>
    expectStatus(await open().shop.admin.post<{ id: number }>('/pick-up-points', fields), 201).body.id
  const listed = async () => (await open().post('/get-pick-up-points')).body.pick_up_points as Point[]
  const found = async (id: number) => (await listed()).find((point) => point.id === id)
  let whole: number
  let bare: number
  let shut: number
  beforeAll(async () => {
    shut = await create({ name: 'Shut', is_active: false })
    whole = await create(full)
    bare = await create({ name: 'Bare' })
  })

  it('answers exactly result, message and pick_up_points', async () => {
    expect((await open().post('/get-pick-up-points')).body).toEqual({
      result: true,
      message: 'OK',
      pick_up_points: expect.any(Array),
    })
  })
  // partners.md#pick-up-point
  it('a point has exactly the documented fields: caption is the name, timetable the schedule', async () => {
    const { name, schedule, ...rest } = full
    expect(await found(whole)).toEqual({ id: whole, caption: name, timetable: schedule, ...rest })
  })
  // partners.md#pick-up-point
  it('absent country, region and city are null, other absent texts are empty', async () => {
    expect(await found(bare)).toEqual({
      id: bare,
      caption: 'Bare',
      country: null,
      region: null,
      city: null,
      address: '',
      phone: '',
      email: '',
      description: '',
      timetable: '',
    })
  })
  it('returns the active points by id; the next request sees a change (partners.md#pick-up-points-2)', async () => {
    const ids = async () => (await listed()).map(({ id }) => id)
    expect(await ids()).toEqual((await ids()).toSorted((one, other) => one - other))
    expect(await ids()).toEqual(expect.arrayContaining([whole, bare]))
    expect(await ids()).not.toContain(shut)
    await open().shop.admin.patch(`/pick-up-points/${shut}`, { is_active: true, name: 'Open', schedule: 'always' })
    expect(await found(shut)).toMatchObject({ caption: 'Open', timetable: 'always' })
    await open().shop.admin.patch(`/pick-up-points/${shut}`, { is_active: false })
    expect(await ids()).not.toContain(shut)
    expectStatus(await open().shop.admin.delete(`/pick-up-points/${shut}`), 204)
  })
})
