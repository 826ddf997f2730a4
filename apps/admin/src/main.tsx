import './ui/tokens.css'
import './ui/page.css'
import './ui/layout.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './routes.js'
import { queryClient, readAgain } from './calls/query-client.js'
import { languageOfPage } from './texts/features.js'
import { LanguageProvider, loadTexts } from './texts/language.js'

const place = document.getElementById('root')
if (place === null) throw new Error('index.html has no #root')
const root = createRoot(place)

// no top-level await: the chunks of the languages import from this one
void loadTexts(languageOfPage()).then((texts) => {
  root.render(
    <StrictMode>
      <LanguageProvider initial={texts} onSpoken={readAgain}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </LanguageProvider>
    </StrictMode>,
  )
})
