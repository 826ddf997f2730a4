import { audit } from './en/audit.js'
import { catalog } from './en/catalog.js'
import { imports } from './en/imports.js'
import { priceLists } from './en/price-lists.js'
import { general } from './en/general.js'
import { kit } from './en/kit.js'
import { overview } from './en/overview.js'
import { people } from './en/people.js'
import { search } from './en/search.js'
import { session } from './en/session.js'
import { setUp } from './en/set-up.js'
import { sources } from './en/sources.js'
import { shell } from './en/shell.js'
import { states } from './en/states.js'

/** All texts; the type is what every language must have. */
export const en = {
  audit,
  catalog,
  general,
  imports,
  kit,
  overview,
  people,
  priceLists,
  search,
  session,
  setUp,
  shell,
  sources,
  states,
}

export type Texts = typeof en
