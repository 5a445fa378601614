// From a complete report to everything that its document shows. Pure: the same input gives the same view.
import type { CompletedReport } from '../../credit-reports/reading/completed-report.ts';
import type { EvidenceFiles } from '../../evidence/evidence-files.ts';
import { glossarySection, limitsSection } from './background.ts';
import { carFinanceSection } from './car-finance.ts';
import { checkSection, type Medium } from './check.ts';
import { coverageSection } from './coverage.ts';
import { longDay } from './dates.ts';
import { glanceOf } from './glance.ts';
import { withPlainLetters } from './letters.ts';
import { listSections } from './lists.ts';
import { toMaterial } from './material.ts';
import type { View } from './view.ts';

/** A PDF of 220 accounts has forty pages; a page in a browser is not printed as a rule. */
const ACCOUNTS_MAX: Readonly<Record<Medium, number>> = { pdf: 100, page: 1_000 };

const TITLE = 'Credit agreements report';
const TEST_NOTICE =
  'Test document. No agency was asked. The accounts and figures are invented; the name and addresses are those of the request.';

export function buildView(completed: CompletedReport, evidence: EvidenceFiles | undefined, medium: Medium): View {
  const material = toMaterial(completed, ACCOUNTS_MAX[medium]);
  const { report, day, time } = material;
  const { title, firstName, lastName, dateOfBirth } = report.person;
  const { creditReportId, tenantName, isTest, completedAt } = completed;
  return withPlainLetters<View>({
    language: 'en-GB',
    title: TITLE,
    notice: isTest ? TEST_NOTICE : null,
    subject: `${[title, firstName, lastName].filter(Boolean).join(' ')}, born ${longDay(dateOfBirth)}`,
    prepared: `Prepared for ${tenantName} on ${longDay(day)} at ${time} (UK time). Report ${creditReportId}.`,
    glance: glanceOf(material),
    sections: [
      coverageSection(material),
      carFinanceSection(material),
      ...listSections(material),
      limitsSection(material),
      glossarySection(material),
      checkSection(material, evidence, medium),
    ],
    footer: `${TITLE}, ${creditReportId}. Confidential: personal data.`,
    pageWords: 'Page {page} of {pages}',
    datedAt: completedAt.toISOString(),
  });
}
