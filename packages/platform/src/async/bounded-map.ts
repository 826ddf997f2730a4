/** A map with a limited number of entries; the least recently written one is removed first. */
export class BoundedMap<Value> {
  private readonly entries = new Map<string, Value>()
  private readonly maxEntries: number

  constructor(maxEntries: number) {
    this.maxEntries = maxEntries
  }

  get(key: string): Value | undefined {
    return this.entries.get(key)
  }

  set(key: string, value: Value): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size > this.maxEntries) this.entries.delete(this.entries.keys().next().value ?? '')
  }

  delete(key: string): void {
    this.entries.delete(key)
  }
}
