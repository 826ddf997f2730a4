import { Tokenizer } from 'htmlparser2'

/** What a reader of tables needs to know of a page. */
export interface HtmlHandler {
  /** @param name in lower case */
  opened(name: string, attributes: ReadonlyMap<string, string>): void
  closed(name: string): void
  /** visible text, in pieces, with its entities decoded */
  text(piece: string): void
}

/** The attributes that are passed on; further ones of a tag would only take memory. */
const PASSED = new Set(['colspan', 'rowspan', 'type', 'x:num'])
/** The characters of an attribute, and of the name of a tag, that are kept. */
const MOST_CHARACTERS = 64
/** Their content is no text of the page. */
const RAW = new Set(['script', 'style', 'title', 'textarea', 'iframe', 'noembed', 'noframes', 'xmp'])

/** A page of XHTML; only there an element without content is written as `<title/>`. */
const XML = /^\s*<\?xml\s/

/**
 * The tags and texts of a page of any size. The tokenizer of the library is used without its parser, which keeps a
 * stack of open elements and searches it at each tag: its time grows with the square of those that are never closed.
 */
export class HtmlEvents {
  private tokenizer: Tokenizer | undefined
  /** the previous chunk and the current one: a token is cut at most once, or longer than any that counts */
  private kept = ''
  private keptFrom = 0
  private last = 0
  private name = ''
  private attribute = ''
  private value = ''
  private readonly attributes = new Map<string, string>()
  /** the element whose content is skipped */
  private raw = ''

  constructor(private readonly handler: HtmlHandler) {}

  push(chunk: string): void {
    if (chunk === '') return
    this.tokenizer ??= this.newTokenizer(XML.test(chunk))
    const previous = this.kept.slice(this.kept.length - this.last)
    this.keptFrom += this.kept.length - previous.length
    this.kept = previous + chunk
    this.last = chunk.length
    this.tokenizer.write(chunk)
  }

  end(): void {
    this.tokenizer?.end()
  }

  private newTokenizer(isXml: boolean): Tokenizer {
    const ignore = (): void => undefined
    const endTag = () => this.endTag()
    return new Tokenizer(
      { recognizeSelfClosing: isXml },
      {
        ontext: (start, end) => this.text(this.slice(start, end)),
        ontextentity: (code) => this.text(String.fromCodePoint(code)),
        onopentagname: (start, end) => {
          this.name = this.slice(start, Math.min(end, start + MOST_CHARACTERS)).toLowerCase()
          this.attributes.clear()
        },
        onattribname: (start, end) => {
          this.attribute = this.slice(start, Math.min(end, start + MOST_CHARACTERS)).toLowerCase()
          this.value = ''
        },
        onattribdata: (start, end) => this.addValue(start, end),
        onattribentity: ignore,
        onattribend: () => {
          if (PASSED.has(this.attribute) && !this.attributes.has(this.attribute))
            this.attributes.set(this.attribute, this.value)
        },
        onopentagend: endTag,
        onselfclosingtag: isXml ? () => this.emptyTag() : endTag,
        onclosetag: (start, end) => this.close(this.slice(start, Math.min(end, start + MOST_CHARACTERS)).toLowerCase()),
        oncomment: ignore,
        oncdata: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore,
      },
    )
  }

  private slice(start: number, end: number): string {
    return this.kept.slice(Math.max(0, start - this.keptFrom), Math.max(0, end - this.keptFrom))
  }

  private addValue(start: number, end: number): void {
    if (PASSED.has(this.attribute) && this.value.length < MOST_CHARACTERS)
      this.value += this.slice(start, Math.min(end, start + MOST_CHARACTERS))
  }

  private text(piece: string): void {
    if (this.raw === '') this.handler.text(piece)
  }

  private endTag(): void {
    if (RAW.has(this.name)) this.raw = this.name
    else this.handler.opened(this.name, this.attributes)
  }

  private emptyTag(): void {
    if (RAW.has(this.name)) return
    this.handler.opened(this.name, this.attributes)
    this.handler.closed(this.name)
  }

  private close(name: string): void {
    if (this.raw === '') this.handler.closed(name)
    else if (name === this.raw) this.raw = ''
  }
}
