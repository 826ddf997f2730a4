import { answerCheck } from './check-protocol.js'
import { serveParent } from './serve-parent.js'

/* A process that checks files and reads none. */

serveParent(answerCheck)
