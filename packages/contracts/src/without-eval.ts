import { z } from 'zod'

/*
 * Imported before any other schema where a content security policy forbids `eval`: zod would try `new Function`, which
 * the browser reports.
 */
z.config({ jitless: true })
