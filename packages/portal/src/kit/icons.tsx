/** Our icons: strokes on a square of 24, in the colour of the text beside them. */
import type { ReactNode } from 'react';

const paths = {
  search: <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.8-1.7L20 20" />,
  people: (
    <path d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M16 4.4a3.5 3.5 0 0 1 0 6.2M17.5 14.9c2 .7 3.5 2.5 3.5 5.1" />
  ),
  tree: <path d="M5 4v13a2 2 0 0 0 2 2h4M5 10h6M11 7.5h8v5h-8zM11 16.5h8v5h-8z" />,
  gear: (
    <path d="M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM12 3v2.5m0 13V21m9-9h-2.5m-13 0H3m15.4-6.4-1.8 1.8M7.4 16.6l-1.8 1.8m12.8 0-1.8-1.8M7.4 7.4 5.6 5.6" />
  ),
  code: <path d="m8 7-5 5 5 5m8-10 5 5-5 5M14 4l-4 16" />,
  list: <path d="M4 6h16M4 12h16M4 18h16" />,
  key: <path d="M8 18a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm3-6.800 8-7.200m-4 3.600 3 3" />,
  copy: <path d="M9 9h11v11H9zM15 9V4H4v11h5" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  check: <path d="m5 12.500 4.500 4.500L19 7.500" />,
  down: <path d="m6 9 6 6 6-6" />,
  more: <path strokeWidth="3" d="M5 12h.01M12 12h.01M19 12h.01" />,
  sun: (
    <path d="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2m9-9h-2M5 12H3m15.400-6.400L17 7M7 17l-1.400 1.400m12.800 0L17 17M7 7 5.600 5.600" />
  ),
  moon: <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z" />,
  contrast: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-18v18m0-14 6 1m-6 3 8 1m-8 3 7 1" />,
  globe: (
    <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.500 2.500 3.500 5.500 3.500 9s-1 6.500-3.500 9c-2.500-2.500-3.500-5.500-3.500-9S9.500 5.500 12 3Z" />
  ),
  leave: <path d="M14 4h5v16h-5M4 12h11m-4-4 4 4-4 4" />,
  phone: <path d="M7 3h10v18H7zM11 18h2" />,
  warning: <path d="M12 4 2.500 20h19L12 4Zm0 6v5m0 2.500v.01" />,
  plus: <path d="M12 5v14M5 12h14" />,
  home: <path d="M4 11 12 4l8 7M6 9.500V20h12V9.500M10 20v-6h4v6" />,
  lock: <path d="M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3" />,
  clock: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3.500 2" />,
  print: <path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z" />,
  download: <path d="M12 4v11m-4.500-4.500L12 15l4.500-4.500M5 20h14" />,
  back: <path d="m14 6-6 6 6 6" />,
  next: <path d="m10 6 6 6-6 6" />,
} as const satisfies Readonly<Record<string, ReactNode>>;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  );
}
