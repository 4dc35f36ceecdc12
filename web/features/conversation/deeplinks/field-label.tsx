type FieldLabelProps = { label: string; isOptional?: boolean } & (
  | { id: string; htmlFor?: undefined }
  | { id?: undefined; htmlFor: string }
);

/** A field's name, and whether it may stay empty. */
export function FieldLabel({ label, isOptional = false, id, htmlFor }: FieldLabelProps) {
  const labelRow = (
    <>
      {label}
      {isOptional && <span className="ml-8 font-normal text-ink2">optional</span>}
    </>
  );
  const look = "mb-6 block text-13 font-medium text-ink";
  return htmlFor === undefined ? (
    <p id={id} className={look}>
      {labelRow}
    </p>
  ) : (
    <label htmlFor={htmlFor} className={look}>
      {labelRow}
    </label>
  );
}
