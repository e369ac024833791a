"""Views of a report. Each is a function from the report to text."""
