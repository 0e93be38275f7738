/** The frame of both sites: preferences, queries, messages, the session, and paths below the site. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, Suspense } from 'react';
import '../styles/index.css';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { CallError } from '../api/manager.ts';
import type { Site } from '../api/session.ts';
import { Skeleton } from '../kit/show.tsx';
import { ErrorBoundary } from './failure.tsx';
import { PreferencesProvider } from './preferences.tsx';
import { SessionProvider } from './session.tsx';
import { ToastProvider } from './toasts.tsx';

/** Returns whether a retry may help: only a lost connection is worth one. */
const isWorthRetrying = (count: number, error: unknown): boolean =>
  count < 1 && error instanceof CallError && ['network', 'unavailable'].includes(error.reason);

export function startSite(site: Site, content: ReactNode): void {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 5_000 } },
  });
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <PreferencesProvider>
          <Suspense fallback={<Skeleton />}>
            <ErrorBoundary>
              <ToastProvider>
                <SessionProvider site={site} hasRights={site === 'admin'}>
                  <Router base={`/${site}`}>{content}</Router>
                </SessionProvider>
              </ToastProvider>
            </ErrorBoundary>
          </Suspense>
        </PreferencesProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
