"""Zeep: reads {wsdl, ca, operation, fields} on stdin, calls with the fields by name, and writes JSON."""
import base64
import json
import sys

import requests
import zeep
from lxml import etree
from zeep.helpers import serialize_object

call = json.load(sys.stdin)
session = requests.Session()
session.trust_env = False  # else REQUESTS_CA_BUNDLE of the environment wins
session.verify = call["ca"]
client = zeep.Client(
    call["wsdl"],
    transport=zeep.Transport(session=session),
    settings=zeep.Settings(strict=False),
)


def text(value):
    """base64Binary comes as bytes; what has no type of its own comes as the element that it is."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return etree.tostring(value, encoding="unicode")


operation = client.service._binding.get(call["operation"])
parts = [name for name, _ in operation.input.body.type.elements] if operation.input.body.type else []
try:
    fields = {name: call["fields"].get(name, zeep.xsd.SkipValue) for name in parts}
    answer = getattr(client.service, call["operation"])(**fields)
    print(json.dumps(serialize_object(answer, dict), default=text))
except zeep.exceptions.Fault as fault:
    print(json.dumps({"fault": fault.code, "text": fault.message}))
