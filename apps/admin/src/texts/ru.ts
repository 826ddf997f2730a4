import type { Texts } from './en.js'
import { audit } from './ru/audit.js'
import { catalog } from './ru/catalog.js'
import { imports } from './ru/imports.js'
import { priceLists } from './ru/price-lists.js'
import { general } from './ru/general.js'
import { kit } from './ru/kit.js'
import { overview } from './ru/overview.js'
import { people } from './ru/people.js'
import { search } from './ru/search.js'
import { session } from './ru/session.js'
import { setUp } from './ru/set-up.js'
import { sources } from './ru/sources.js'
import { shell } from './ru/shell.js'
import { states } from './ru/states.js'

export const ru: Texts = {
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
