import { describe, expect, it } from '@jest/globals'
import { Admission } from './admission.js'

const nothing = async (): Promise<string> => 'done'
const overloaded = expect.objectContaining({ code: 'OVERLOADED' })

describe('admission', () => {
  it('refuses at once what is beyond the number of requests, and takes again when one has ended', async () => {
    const admission = new Admission({ requests: 2, bytes: 100 })
    let end: () => void = () => undefined
    const wait = (): Promise<void> =>
      new Promise((done) => {
        end = done
      })
    const first = admission.run(wait)
    const endFirst = end
    const second = admission.run(wait)
    await expect(admission.run(nothing)).rejects.toEqual(overloaded)
    endFirst()
    await first
    expect(await admission.run(nothing)).toBe('done')
    end()
    await second
  })

  it('refuses what is beyond the bytes held together, and gives them back when a request fails', async () => {
    const admission = new Admission({ requests: 10, bytes: 100 })
    await expect(
      admission.run(async (hold) => {
        hold(60)
        await expect(admission.run(async (more) => more(41))).rejects.toEqual(overloaded)
        await admission.run(async (more) => more(40))
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    await admission.run(async (hold) => hold(100))
  })
})
