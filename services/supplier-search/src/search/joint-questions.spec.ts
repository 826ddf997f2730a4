import { describe, expect, it } from '@jest/globals'
import { JointQuestions } from './joint-questions.js'

/** Questions whose reads and answers end when told to; each answers with its number. */
function questions() {
  const rounds: Array<{ readsEnded: () => void; answer: () => void; fail: () => void }> = []
  const answer = (readsEnded: () => void): Promise<number> => {
    const mine = rounds.length + 1
    return new Promise((done, fail) => {
      rounds.push({ readsEnded, answer: () => done(mine), fail: () => fail(new Error(`no ${mine}`)) })
    })
  }
  return { rounds, answer }
}
const settle = () => new Promise((done) => setImmediate(done))

describe('the same question of many', () => {
  it('who comes in the same turn shares a round', async () => {
    const joint = new JointQuestions()
    const { rounds, answer } = questions()
    const asked = [joint.ask('a', answer), joint.ask('a', answer), joint.ask('a', answer)]
    await settle()
    rounds[0]?.answer()
    expect(await Promise.all(asked)).toEqual([1, 1, 1])
    expect(rounds).toHaveLength(1)
  })

  it('who comes while a round reads shares the next one, which does not wait for the answer of this one', async () => {
    const joint = new JointQuestions()
    const { rounds, answer } = questions()
    const first = joint.ask('a', answer)
    await settle()
    const later = [joint.ask('a', answer), joint.ask('a', answer)]
    expect(rounds).toHaveLength(1)
    rounds[0]?.readsEnded()
    await settle()
    await settle()
    expect(rounds).toHaveLength(2)
    const latest = joint.ask('a', answer)
    rounds[1]?.answer()
    expect(await Promise.all(later)).toEqual([2, 2])
    await settle()
    await settle()
    rounds[2]?.answer()
    rounds[0]?.answer()
    expect(await Promise.all([first, latest])).toEqual([1, 3])
  })

  it('a question after the reads of the last round is a round of its own, and other questions are others', async () => {
    const joint = new JointQuestions()
    const { rounds, answer } = questions()
    const asked = [joint.ask('a', answer)]
    await settle()
    rounds[0]?.readsEnded()
    asked.push(joint.ask('a', answer), joint.ask('b', answer))
    await settle()
    expect(rounds).toHaveLength(3)
    for (const round of rounds) round.answer()
    expect(await Promise.all(asked)).toEqual([1, 2, 3])
  })

  it("a failure is that round's own", async () => {
    const joint = new JointQuestions()
    const { rounds, answer } = questions()
    const first = joint.ask('a', answer)
    await settle()
    const second = joint.ask('a', answer)
    rounds[0]?.fail()
    await expect(first).rejects.toThrow('no 1')
    await settle()
    await settle()
    rounds[1]?.answer()
    expect(await second).toBe(2)
  })
})
