import { general } from './en/general.js'
import { kit } from './en/kit.js'
import { overview } from './en/overview.js'
import { session } from './en/session.js'
import { shell } from './en/shell.js'
import { states } from './en/states.js'
import { tasks } from './en/tasks.js'
import type { FeatureTexts } from './features.js'

/** The texts of the first page. Texts of other pages are loaded with them (`features.ts`). */
export const en = { general, kit, overview, session, shell, states, tasks }

/** All texts: what every language must have. */
export type Texts = typeof en & FeatureTexts
