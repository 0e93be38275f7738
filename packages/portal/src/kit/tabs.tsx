/** Tabs: several views, of which one is visible. */
import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';

export interface TabView {
  readonly id: string;
  readonly name: string;
  readonly content: ReactNode;
}

export function Tabs({ label, views }: { readonly label: string; readonly views: readonly TabView[] }) {
  return (
    <AriaTabs className="tabs">
      <TabList className="tab-list" aria-label={label}>
        {views.map(({ id, name }) => (
          <Tab key={id} id={id} className="tab">
            {name}
          </Tab>
        ))}
      </TabList>
      {views.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
