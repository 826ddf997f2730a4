/**
 * A 64-bit hash of a brand and an article: cyrb53 without its final truncation. A separator between the two is hashed
 * too, so `AB` + `C` and `A` + `BC` differ.
 */
export class KeyHash {
  high = 0
  low = 0

  of(brandKey: string, articleKey: string): void {
    let one = 0xdeadbeef
    let two = 0x41c6ce57
    for (let index = 0; index < brandKey.length; index += 1) {
      const code = brandKey.charCodeAt(index)
      one = Math.imul(one ^ code, 2_654_435_761)
      two = Math.imul(two ^ code, 1_597_334_677)
    }
    one = Math.imul(one ^ 0x1f, 2_654_435_761)
    two = Math.imul(two ^ 0x1f, 1_597_334_677)
    for (let index = 0; index < articleKey.length; index += 1) {
      const code = articleKey.charCodeAt(index)
      one = Math.imul(one ^ code, 2_654_435_761)
      two = Math.imul(two ^ code, 1_597_334_677)
    }
    const first = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909)
    const second = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
    this.low = first >>> 0
    this.high = second >>> 0
  }
}
