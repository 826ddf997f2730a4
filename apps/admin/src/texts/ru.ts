import type { en } from './en.js'
import { general } from './ru/general.js'
import { kit } from './ru/kit.js'
import { overview } from './ru/overview.js'
import { session } from './ru/session.js'
import { shell } from './ru/shell.js'
import { states } from './ru/states.js'
import { tasks } from './ru/tasks.js'

export const ru: typeof en = { general, kit, overview, session, shell, states, tasks }
