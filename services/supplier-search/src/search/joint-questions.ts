interface Round {
  /** ends when the round no longer reads what an administrator may change */
  reads: Promise<void>
  /** of a round that has not begun */
  gathering?: Promise<unknown>
  /** shared by all who came while it reads */
  next?: Promise<unknown>
}

/**
 * The same question of many callers at the same time is answered in rounds: gathering (until the turn of the event loop ends) →
 * reading → answering. Nobody gets an answer that was begun before he came: who comes while a round gathers shares it, who comes
 * while it reads shares the next one, which begins as soon as the reads of this one have ended, however long its suppliers take.
 * So a change is seen by every question that follows it, and questions in a burst cost one.
 */
export class JointQuestions {
  private readonly rounds = new Map<string, Round>()

  /**
   * @param key the same for questions that are the same and may take equally long
   * @param answer is told by its argument what to call when its reads have ended
   */
  ask<T>(key: string, answer: (readsEnded: () => void) => Promise<T>): Promise<T> {
    const current = this.rounds.get(key)
    if (!current) return this.start(key, answer)
    if (current.gathering) return current.gathering as Promise<T>
    current.next ??= current.reads.then(() => this.start(key, answer))
    return current.next as Promise<T>
  }

  private start<T>(key: string, answer: (readsEnded: () => void) => Promise<T>): Promise<T> {
    let readsEnded: () => void = () => undefined
    const round: Round = {
      reads: new Promise((done) => {
        readsEnded = done
      }),
    }
    this.rounds.set(key, round)
    const end = (): void => {
      // the next round takes the place of this one by itself
      if (round.next === undefined && this.rounds.get(key) === round) this.rounds.delete(key)
      readsEnded()
    }
    const answered = new Promise<void>((turnEnds) => {
      setImmediate(turnEnds)
    }).then(() => {
      delete round.gathering
      return answer(end)
    })
    round.gathering = answered
    answered.then(end, end)
    return answered
  }
}
