import type { Texts } from './en.js'
import { catalog } from './ru/catalog.js'
import { general } from './ru/general.js'
import { kit } from './ru/kit.js'
import { overview } from './ru/overview.js'
import { session } from './ru/session.js'
import { shell } from './ru/shell.js'
import { states } from './ru/states.js'

export const ru: Texts = {
  catalog,
  general,
  kit,
  overview,
  session,
  shell,
  states,
}
