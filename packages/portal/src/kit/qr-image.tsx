/** A picture of a QR code, as the server drew it. */
import { Skeleton } from './show.tsx';

export function QrImage({
  picture,
  label,
}: {
  readonly picture: string | undefined;
  readonly label: string;
}) {
  if (picture === undefined) return <Skeleton lines={4} />;
  return (
    <div className="qr">
      <img src={`data:image/png;base64,${picture}`} alt={label} />
    </div>
  );
}
